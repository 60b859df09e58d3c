// alone: it tells whether the other one runs beside it
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const turn = join(process.env.SVC_TURNS ?? '', 'turn')

t.test('the other one does not run', async (t) => {
  t.doesNotThrow(() => mkdirSync(turn), 'a folder that only one of them can make')
  // A process takes a moment to begin: long enough for the other one to find the folder, were it started too.
  await new Promise((resolve) => {
    setTimeout(resolve, 1500)
  })
  rmdirSync(turn)
})
