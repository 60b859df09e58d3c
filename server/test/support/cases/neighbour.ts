import t from 'tap'

t.test('a test that bears nobody beside it', async (t) => {
  t.notOk('left' in globalThis)
})
