// With a buffer only the send is before the receive. The k-th receive is before
// the send that is k plus capacity-th.
package main

func main() {
	sendClean()
	reverseRacy()
	fullClean()
	roomRacy()
	nilCapacityClean()
	variableCapacityRacy()
	tokensClean()
}

func sendClean() {
	x := 0
	c := make(chan bool, 4)
	go func() {
		x = 1
		c <- true
	}()
	<-c
	_ = x
}

func reverseRacy() {
	reverse := 0
	c := make(chan bool, 1)
	done := make(chan bool)
	go func() {
		reverse = 1 // want race "reverse"
		<-c
		done <- true
	}()
	c <- true
	_ = reverse
	<-done
}

// The second send needs the place that the receive makes.
func fullClean() {
	x := 0
	c := make(chan bool, 1)
	go func() {
		x = 1
		<-c
	}()
	c <- true
	c <- true
	_ = x
}

func roomRacy() {
	room := 0
	c := make(chan bool, 2)
	done := make(chan bool)
	go func() {
		room = 1 // want race "room"
		<-c
		done <- true
	}()
	c <- true
	c <- true
	_ = room
	<-done
}

func nilCapacityClean() {
	x := 0
	c := make(chan bool, 0)
	go func() {
		x = 1
		<-c
	}()
	c <- true
	_ = x
}

func variableCapacityRacy() {
	sized(1)
}

func sized(n int) {
	varied := 0
	c := make(chan bool, n)
	done := make(chan bool)
	go func() {
		varied = 1 // want race "varied"
		<-c
		done <- true
	}()
	c <- true
	_ = varied
	<-done
}

// As many receives as goroutines.
func tokensClean() {
	var parts [3]int
	c := make(chan bool, 3)
	for i := range parts {
		go func() {
			parts[i] = i
			c <- true
		}()
	}
	for range parts {
		<-c
	}
	_ = parts
}
