// Whoever receives a pointer owns what it leads to, if the sender lets go.
package main

type message struct {
	text string
	next *message
}

func main() {
	insideClean()
	insideRacy()
	helperSends()
	sentClean()
	keptRacy()
	batchClean()
	reusedRacy()
	freshClean()
	returnedClean()
	selectClean()
	freeListClean()
	aliasRacy()
}

func sentClean() {
	c := make(chan *message)
	go func() {
		m := &message{text: "a"}
		c <- m
	}()
	m := <-c
	m.text = "b"
}

// The sender goes on writing.
func keptRacy() {
	c := make(chan *message, 1)
	go func() {
		m := &message{}
		c <- m
		m.text = "late" // want race "text"
	}()
	m := <-c
	_ = m.text
}

func batchClean() {
	c := make(chan []int)
	go func() {
		var batch []int
		for i := range 8 {
			batch = append(batch, i)
			if len(batch) == 4 {
				c <- batch
				batch = nil
			}
		}
		close(c)
	}()
	for b := range c {
		b[0] = 9
	}
}

// The buffer is filled again while the receiver reads it.
func reusedRacy() {
	c := make(chan []byte, 1)
	go func() {
		buf := make([]byte, 8)
		for range 3 {
			fill(buf)
			c <- buf
		}
		close(c)
	}()
	for b := range c {
		_ = b[0]
	}
}

func fill(b []byte) { b[0]++ } // want race "b[0]"

func freshClean() {
	c := make(chan []byte, 1)
	go func() {
		for range 3 {
			buf := make([]byte, 8)
			buf[0]++
			c <- buf
		}
		close(c)
	}()
	for b := range c {
		b[0] = 1
	}
}

type parcel struct{ weight, late int }

type post struct{ out chan *parcel }

// What is written before the send belongs to the sender, whoever made it.
func (p *post) send(x *parcel) {
	x.weight = 1
	p.out <- x
	x.late = 1 // want race "late"
}

func helperSends() {
	p := &post{out: make(chan *parcel, 4)}
	go func() {
		for x := range p.out {
			_ = x.weight + x.late
		}
	}()
	for range 3 {
		p.send(&parcel{})
	}
}
