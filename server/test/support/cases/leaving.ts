import t from 'tap'

t.test('a test that leaves something behind', async (t) => {
  Object.assign(globalThis, { left: true })
  t.pass()
})
