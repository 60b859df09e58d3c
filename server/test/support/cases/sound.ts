import t from 'tap'

t.test('what this machine can do', async (t) => {
  t.pass()
})
