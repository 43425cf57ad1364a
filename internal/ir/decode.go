package ir

import "errors"

func (u *Unit) decodeBody(id FuncID) (*Body, error) {
	return nil, errors.New("ir: " + u.Funcs[id].Symbol + ": encoded body is malformed")
}
