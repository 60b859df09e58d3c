import t from 'tap'

// Longer than the patience of its test as a whole, and never between two results: of two timers that are due at once, the one that was due first runs first.
t.test('ten results', (t) => {
  let results = 0
  const timer = setInterval(() => {
    t.pass(`result ${++results}`)
    if (results < 10) return
    clearInterval(timer)
    t.end()
  }, 250)
})
