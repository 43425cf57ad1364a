// Maps are one cell; a slice's header is apart from its elements.
package main

type state struct {
	m map[string]int
	s []int
}

func main() {
	st := &state{m: map[string]int{}, s: make([]int, 2)}
	go func() {
		st.m["a"] = 1 // want race "st.m"
		st.s[0] = 1
		st.s[1] = 2 // want race "st.s[1]"
	}()
	_ = len(st.m)
	st.s[1] = 3
	header := st.s
	_ = header

	t := &state{}
	go func() {
		t.s = append(t.s, 1) // want race "t.s"
	}()
	_ = t.s
}
