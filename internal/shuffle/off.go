//go:build !check

package shuffle

// All puts a list into any order.
func All[T any](list []T) {}

// Front lets any element be the first of a list.
func Front[T any](list []T) {}

// Back lets any element be the last of a list.
func Back[T any](list []T) {}
