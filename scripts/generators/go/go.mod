module example/call

go 1.23
