module example/any-language

go 1.21
