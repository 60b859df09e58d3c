import t from 'tap'
import { blame, placesOfError } from '../src/index.ts'

const folders = { outer: '/srv/node_modules/outer', inner: '/srv/node_modules/outer/node_modules/inner', win: 'C:\\svc\\win' }

t.test('the innermost place of a stack that lies in a plugin’s folder names the plugin', async (t) => {
  const places = [
    'node:internal/timers:1',
    'file:///srv/node_modules/ethers/a.js:3',
    'file:///srv/node_modules/outer/b.js:4',
    '/srv/x.js:1',
  ]
  t.same(blame(places, folders), { plugin: 'outer', at: '/srv/node_modules/outer/b.js:4' })
  t.same(
    blame(['/srv/node_modules/outer/node_modules/inner/c.js:5'], folders)?.plugin,
    'inner',
    'of folders within each other the inner one',
  )
  t.same(blame(['/srv/node_modules/outer-more/c.js:5'], folders), undefined, 'a folder whose name only begins alike')
  t.same(blame(['C:\\svc\\win\\d.js:6'], folders)?.plugin, 'win')
  t.same(blame(['file:///srv/node_modules/outer/b.js?v=1:4'], folders)?.at, '/srv/node_modules/outer/b.js:4')
  t.same(blame(['', 'evalmachine.<anonymous>:1', 'file://%:1'], folders), undefined)
})

t.test('the places of an error are those of its stack, and of what caused it', async (t) => {
  const error = (stack: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { stack })
  const cause = error('Error: y\n    at file:///srv/node_modules/outer/b.js:4:9')
  const places = placesOfError(
    error('Error: x (/no/place:1:2)\n    at call (/srv/a.js:1:2)\n    at async Promise.all (index 0)\n    at node:internal:3:4', cause),
  )
  t.same(places, ['/srv/a.js:1', 'file:///srv/node_modules/outer/b.js:4'])
  t.same(placesOfError('a text'), [])
  const round = error('Error: x\n    at /srv/a.js:1:2')
  round.cause = round
  t.same(placesOfError(round), ['/srv/a.js:1'])
})
