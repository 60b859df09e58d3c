import t from 'tap'

t.ok(true, 'an assertion before it')
process.exit(3)
