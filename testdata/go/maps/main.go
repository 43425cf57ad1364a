// A map is one cell: any insertion or deletion writes it, all else reads it.
package main

func main() {
	writesRacy()
	readsClean()
	lenRacy()
	rangeRacy()
	deleteRacy()
	clearRacy()
	otherKeysRacy()
	valuesRacy()
	pointersClean()
	libraryRacy()
	replacedClean()
	resultsRacy()
	resultsClean()
}

func writesRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		m["a"] = 1 // want race "m"
		done <- true
	}()
	m["a"] = 2
	<-done
}

func readsClean() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["a"] }()
	_, ok := m["b"]
	_ = ok
	<-done
}

func lenRacy() {
	m := map[string]int{}
	done := make(chan int)
	go func() { done <- len(m) }()
	m["a"] = 1 // want race "m"
	<-done
}

func rangeRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		for range m {
		}
		done <- true
	}()
	m["a"] = 1 // want race "m"
	<-done
}

func deleteRacy() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["b"] }()
	delete(m, "a") // want race "m"
	<-done
}

func clearRacy() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["b"] }()
	clear(m) // want race "m"
	<-done
}

func otherKeysRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		m["a"]++ // want race "m"
		done <- true
	}()
	m["b"]++
	<-done
}

type entry struct{ hits int }

func valuesRacy() {
	m := map[string]*entry{"a": {}}
	done := make(chan bool)
	go func() {
		m["a"].hits++ // want race "hits"
		done <- true
	}()
	m["a"].hits++
	<-done
}
