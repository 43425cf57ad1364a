// Reflection and printing touch memory: Set writes, printing reads what it is
// given, encoding reads and decoding writes all that can be reached.
package main

import (
	"encoding/json"
	"fmt"
	"reflect"
)

type person struct {
	Name string
	Age  int
}

type printed struct{ visits int }

func (p *printed) String() string {
	p.visits++ // want race "visits"
	return "printed"
}

func main() {
	setRacy()
	setClean()
	fieldRacy()
	printRacy()
	printValueClean()
	stringerRacy()
	marshalRacy()
	unmarshalRacy()
	unmarshalClean()
	deepEqualRacy()
	callRacy()
}

func start(f func()) chan bool {
	done := make(chan bool)
	go func() {
		f()
		done <- true
	}()
	return done
}

func setRacy() {
	number := 0
	done := start(func() {
		reflect.ValueOf(&number).Elem().SetInt(1) // want race "number"
	})
	number = 2
	<-done
}

func setClean() {
	number := 0
	done := start(func() { reflect.ValueOf(&number).Elem().SetInt(1) })
	<-done
	number = 2
	_ = number
}

func fieldRacy() {
	p := &person{}
	done := start(func() {
		reflect.ValueOf(p).Elem().FieldByName("Age").SetInt(1) // want race "Age"
	})
	_ = p.Age
	<-done
}

func printRacy() {
	p := &person{}
	done := start(func() { _ = fmt.Sprint(p) })
	p.Age = 1 // want race "Age"
	<-done
}

// The operand is a copy.
func printValueClean() {
	p := person{}
	done := start(func() { _ = fmt.Sprint("waiting") })
	p.Age = 1
	_ = fmt.Sprint(p)
	<-done
}

func stringerRacy() {
	p := &printed{}
	done := start(func() { _ = fmt.Sprintf("%v", p) })
	fmt.Println(p)
	<-done
}

func marshalRacy() {
	p := &person{}
	done := start(func() { json.Marshal(p) })
	p.Name = "a" // want race "Name"
	<-done
}

func unmarshalRacy() {
	p := &person{}
	done := start(func() {
		json.Unmarshal([]byte(`{"Age": 1}`), p) // want race "Age"
	})
	_ = p.Age
	<-done
}

// Each side has a value of its own.
func unmarshalClean() {
	data := []byte(`{"Age": 1}`)
	decode := func() {
		var p person
		json.Unmarshal(data, &p)
		_ = p.Age
	}
	done := start(decode)
	decode()
	<-done
}

func deepEqualRacy() {
	p, q := &person{}, &person{}
	done := start(func() { reflect.DeepEqual(p, q) })
	q.Name = "a" // want race "Name"
	<-done
}

func callRacy() {
	called := 0
	f := reflect.ValueOf(func() {
		called++ // want race "called"
	})
	done := start(func() { f.Call(nil) })
	f.Call(nil)
	<-done
}
