// A file that forgot its assertions.
export {}
