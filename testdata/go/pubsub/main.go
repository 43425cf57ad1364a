// Subscribers in a map under a lock; messages go to all of them.
package main

import "sync"

type message struct {
	topic string
	body  []byte
}

type broker struct {
	mu     sync.RWMutex
	subs   map[string][]chan *message
	closed bool
	loose  map[string]int
	sent   int
}

func newBroker() *broker {
	return &broker{subs: map[string][]chan *message{}, loose: map[string]int{}}
}

func (b *broker) subscribe(topic string) <-chan *message {
	c := make(chan *message, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs[topic] = append(b.subs[topic], c)
	return c
}

func (b *broker) publish(m *message) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.closed {
		return
	}
	for _, c := range b.subs[m.topic] {
		select {
		case c <- m:
		default:
		}
	}
}

func (b *broker) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, list := range b.subs {
		for _, c := range list {
			close(c)
		}
	}
}

// count forgets the lock.
func (b *broker) count(topic string) {
	b.loose[topic]++ // want race "loose"
}

// publishCounted counts under the read lock.
func (b *broker) publishCounted(m *message) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	b.sent++ // want race "sent"
	_ = b.subs[m.topic]
}

func main() {
	brokerClean()
	countRacy()
	sentRacy()
	bodyRacy()
	copiedRacy()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

// Nobody sends after the broker is closed: both hold the lock.
func brokerClean() {
	b := newBroker()
	c := b.subscribe("a")
	twice(func() {
		b.publish(&message{topic: "a"})
		b.subscribe("b")
	})
	m := <-c
	_ = m.body
	b.stop()
}

func countRacy() {
	b := newBroker()
	twice(func() { b.count("a") })
}

func sentRacy() {
	b := newBroker()
	twice(func() { b.publishCounted(&message{}) })
}

// All subscribers have the same message.
func bodyRacy() {
	b := newBroker()
	one, two := b.subscribe("a"), b.subscribe("a")
	var wg sync.WaitGroup
	for _, c := range []<-chan *message{one, two} {
		wg.Go(func() {
			m := <-c
			m.body = append(m.body, 1) // want race "body"
		})
	}
	b.publish(&message{topic: "a"})
	wg.Wait()
}

// The list is copied out of the map, but the array is still shared.
func copiedRacy() {
	b := newBroker()
	b.subscribe("a")
	done := make(chan bool)
	go func() {
		b.mu.Lock()
		b.subs["a"][0] = nil // want race "subs"
		b.mu.Unlock()
		done <- true
	}()
	b.mu.RLock()
	list := b.subs["a"]
	b.mu.RUnlock()
	_ = list[0]
	<-done
}
