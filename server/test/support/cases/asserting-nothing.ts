import t from 'tap'

t.test('a test that asserts nothing', async () => {})
t.test('one that asserts', async (t) => {
  t.pass()
})
