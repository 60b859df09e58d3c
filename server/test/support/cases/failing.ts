import t from 'tap'

t.test('an outer sentence', async (t) => {
  await t.test('an inner one', async (t) => {
    t.equal(1, 2)
  })
  t.fail('one of its own')
})
