import t from 'tap'
import { readOptions } from '../src/options.ts'

const now = new Date('2026-11-24T00:00:00Z')
const read = (...args: readonly string[]) => readOptions(args, ['hub', 'celestia'], now)

t.test('nodes are named once each, with defaults for the rest', async (t) => {
  t.same(read('celestia', 'hub', 'celestia'), {
    nodes: ['celestia', 'hub'],
    actions: 500,
    seed: '2026-11-24T00:00:00.000Z',
    record: false,
    life: null,
    without: [],
    buildOnly: false,
    wherePossible: false,
  })
  t.same(read('all').nodes, ['hub', 'celestia'])
  t.match(
    read(
      'hub',
      '--actions',
      '20',
      '--seed',
      'a',
      '--life',
      'pair',
      '--without',
      'whole',
      '--without',
      'hands',
      '--record',
      '--build',
      '--where-possible',
    ),
    {
      actions: 20,
      seed: 'a',
      life: 'pair',
      without: ['whole', 'hands'],
      record: true,
      buildOnly: true,
      wherePossible: true,
    },
  )
})

t.test('a command line that cannot be followed is refused with what could be', async (t) => {
  t.throws(() => read(), new Error('Name at least one of hub, celestia, or all.'))
  t.throws(() => read('sui'), new Error('There is no node sui; there are hub, celestia.'))
  t.throws(() => read('hub', '--actions=-1'), new Error('--actions is -1; it must be a whole number from 0 to 99999.'))
  t.throws(() => read('hub', '--actions', '1.5'), new Error('--actions is 1.5; it must be a whole number from 0 to 99999.'))
  t.throws(() => read('hub', '--fast'), { message: /--fast/ })
})
