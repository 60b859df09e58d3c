import t from 'tap'

t.only('the one', (t) => {
  t.ok(true)
  t.end()
})
t.test('another one', (t) => {
  t.fail('it runs')
  t.end()
})
