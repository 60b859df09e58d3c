import t from 'tap'

t.test('what this machine cannot do', { skip: 'this machine lacks something' }, async (t) => {
  t.pass()
})
