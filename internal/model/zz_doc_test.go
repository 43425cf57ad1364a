package model
import ("testing";"os";"fmt";"strings")
func TestWriteTable(t *testing.T){
 out:=os.Getenv("TABLE_OUT"); if out=="" {t.Skip()}
 var b strings.Builder
 titles:=map[WordKind]string{WordHeader:"Lines that are not rows",WordEffect:"Effects",WordWhole:"Words for the row as a whole",WordValue:"Values",WordFlag:"Modifiers"}
 for k:=WordHeader;k<=WordFlag;k++{
  fmt.Fprintf(&b,"### %s\n\n| word | meaning | example |\n|---|---|---|\n",titles[k])
  for _,w:=range Vocabulary(){ if w.Kind==k { e:=func(s string)string{return strings.ReplaceAll(s,"|",`\|`)}; fmt.Fprintf(&b,"| `%s` | %s | `%s` |\n",e(w.Form),e(w.Meaning),e(w.Example)) } }
  b.WriteString("\n")
 }
 os.WriteFile(out,[]byte(b.String()),0o666)
}
