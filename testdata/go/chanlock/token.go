package main

// pool has one token, which its constructor puts there.
type pool struct {
	token chan struct{}
	n     int
	loose int
}

func newPool() *pool {
	p := &pool{token: make(chan struct{}, 1)}
	p.token <- struct{}{}
	return p
}

func (p *pool) take() { <-p.token }
func (p *pool) give() { p.token <- struct{}{} }

func tokenOfObjectClean() {
	p := newPool()
	many(func() {
		p.take()
		p.n++
		p.give()
	})
}

func givenBackEarlyRacy() {
	p := newPool()
	many(func() {
		p.take()
		p.give()
		p.loose++ // want race "loose"
	})
}

// A second token, so that two may be at work.
func secondTokenRacy() {
	second := 0
	token := make(chan bool, 2)
	token <- true
	token <- true
	many(func() {
		<-token
		second++ // want race "second"
		token <- true
	})
}

// Somebody gives back what he has not taken.
func madeUpTokenRacy() {
	extra := 0
	token := make(chan bool, 1)
	token <- true
	many(func() {
		select {
		case token <- true:
		default:
		}
		<-token
		extra++ // want race "extra"
		token <- true
	})
}

// After the end everybody receives.
func closedTokenRacy() {
	ended := 0
	token := make(chan bool, 1)
	token <- true
	done := make(chan bool)
	for range 2 {
		go func() {
			<-token
			ended++ // want race "ended"
			done <- true
		}()
	}
	close(token)
	<-done
	<-done
}
