// Fields are apart from each other; a copy of a struct touches all of them.
package main

type inner struct{ depth, width int }

type base struct{ id int }

func (b *base) rename() { b.id = 7 } // want race "b.id"

type record struct {
	base
	name   string
	size   int
	nested inner
	link   *record
	array  [2]int
}

func main() {
	otherFieldClean()
	sameFieldRacy()
	copyRacy()
	assignRacy()
	nestedClean()
	nestedRacy()
	promotedRacy()
	linkRacy()
	literalClean()
	arrayRacy()
	compareRacy()
	promotedPartClean()
	promotedCopyRacy()
}

func otherFieldClean() {
	r := &record{}
	done := make(chan bool)
	go func() {
		r.name = "a"
		done <- true
	}()
	r.size = 1
	<-done
}

func sameFieldRacy() {
	r := &record{}
	done := make(chan bool)
	go func() {
		r.size = 1 // want race "r.size"
		done <- true
	}()
	r.size = 2
	<-done
}

// Copying a struct reads the field that is being changed.
func copyRacy() {
	r := record{}
	done := make(chan bool)
	go func() {
		r.size = 1 // want race "r.size"
		done <- true
	}()
	snapshot := r
	_ = snapshot.name
	<-done
}

func assignRacy() {
	r := &record{}
	done := make(chan string)
	go func() {
		done <- r.name // want race "r"
	}()
	*r = record{}
	<-done
}

func nestedClean() {
	r := &record{}
	done := make(chan bool)
	go func() {
		r.nested.depth = 1
		done <- true
	}()
	r.nested.width = 1
	<-done
}

func nestedRacy() {
	r := &record{}
	done := make(chan inner)
	go func() {
		done <- r.nested
	}()
	r.nested.width = 1 // want race "nested"
	<-done
}

func promotedRacy() {
	r := &record{}
	go r.rename()
	_ = r.base.id
}

func linkRacy() {
	r := &record{link: &record{}}
	done := make(chan bool)
	go func() {
		r.link.size = 1 // want race "link.size"
		done <- true
	}()
	_ = r.link.size
	<-done
}

// A literal is a new value.
func literalClean() {
	r := record{size: 1}
	done := make(chan int)
	go func(r record) { done <- r.size }(r)
	r = record{size: 2}
	<-done
	_ = r
}

func arrayRacy() {
	r := &record{}
	done := make(chan bool)
	go func() {
		r.array[1] = 1 // want race "array"
		done <- true
	}()
	all := r.array
	_ = all
	<-done
}

func compareRacy() {
	p, q := inner{}, inner{}
	done := make(chan bool)
	go func() {
		done <- p == q
	}()
	q.width = 1 // want race "q"
	<-done
}

type runner interface{ run() }

type idle struct{}

func (idle) run() {}

type part struct{ runner }

type engine struct {
	ticks int
	part
}

type server struct{ engine engine }

// A method of a part of a struct is called on the part: the rest is not read.
func promotedPartClean() {
	s := &server{engine{part: part{idle{}}}}
	done := make(chan bool)
	go func() {
		s.engine.ticks = 1
		done <- true
	}()
	s.engine.run()
	<-done
}

// A copy of the whole is.
func promotedCopyRacy() {
	s := &server{engine{part: part{idle{}}}}
	done := make(chan bool)
	go func() {
		s.engine.ticks = 1 // want race "ticks"
		done <- true
	}()
	e := s.engine
	e.run()
	<-done
}
