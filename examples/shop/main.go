// Shop is a small order desk: clerks take orders from a queue, reserve stock
// and add up the day's sales while a reporter prints how things are going.
//
// It compiles, it runs, and most days its figures are right. It has three data
// races; the order desk's other shared state is handled correctly.
package main

import (
	"fmt"
	"sync"
	"time"
)

type order struct {
	item  string
	count int
	price int
}

func main() {
	stock := newStock(map[string]int{"lamp": 40, "chair": 12, "desk": 3})
	desk := &desk{stock: stock}

	stop := make(chan struct{})
	go report(desk, stop)

	orders := make(chan order)
	var clerks sync.WaitGroup
	for i := 0; i < 4; i++ {
		clerks.Add(1)
		go func() {
			defer clerks.Done()
			for o := range orders {
				desk.take(o)
			}
		}()
	}

	for i := 0; i < 50; i++ {
		orders <- order{item: []string{"lamp", "chair", "desk"}[i%3], count: 1, price: 10 + i}
	}
	close(orders)
	clerks.Wait()
	close(stop)

	fmt.Println("sold for", desk.sales, "refused", len(desk.refused()))
}

// desk is where the clerks meet.
type desk struct {
	stock *stock

	sales int    // race: every clerk adds to it, the reporter reads it
	last  *order // race: clerks set it, the reporter reads it

	mu   sync.Mutex
	turn []order // orders turned away, guarded by mu
}

func (d *desk) take(o order) {
	if !d.stock.reserve(o.item, o.count) {
		d.mu.Lock()
		d.turn = append(d.turn, o)
		d.mu.Unlock()
		return
	}
	d.sales += o.count * o.price
	d.last = &o
}

func (d *desk) refused() []order {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]order(nil), d.turn...)
}

// report prints a line now and then until it is told to stop.
func report(d *desk, stop chan struct{}) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if last := d.last; last != nil {
				fmt.Println("last sold:", last.item, "for", d.sales, "in all, lamps left:", d.stock.left("lamp"))
			}
		case <-stop:
			return
		}
	}
}
