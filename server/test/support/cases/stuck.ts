import t from 'tap'

t.test('what never comes', async (t) => {
  t.pass('it began')
  const timer = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(timer))
  await new Promise(() => {})
})
