import t from 'tap'

t.ok(true, 'an assertion before it')
throw new Error('the file throws')
