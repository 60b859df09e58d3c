import fc from 'fast-check'
import t from 'tap'

t.test('fails for values that are chosen by chance, and so names them', (t) => {
  const values: number[] = []
  fc.assert(fc.property(fc.integer(), (value) => void values.push(value)))
  t.equal(values.join(' '), 'none')
  t.end()
})
