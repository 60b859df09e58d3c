import { type Balance, Former, positionOf, protocol } from '@svc/contract'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { type ConfigInput, inspectState, type LoadedPlugin, parseConfig, readValidatorWords } from '../src/index.ts'
import type { KeptPosition } from '../src/life/kept-position.ts'
import { compare } from '../src/life/position.ts'
import { claimWatches, savePosition, unwatch, watchCrafted } from '../src/life/watches.ts'
import { onBoth } from './support/databases.ts'

const BEGIN = new Date('2026-11-28T12:00:00.000Z')
const part = (validator: string, staked: bigint, isFormer = false) => ({
  ...{ validator, isFormer, staked, activating: null, deactivating: null, withdrawing: null, rewards: null },
})
const exit = (id: string, validator: string, status: 'withdrawable' | 'deactivating' | 'unknown', key = `${validator}:${id}`) =>
  ({
    ...{ id, key, type: 'withdrawal_request' as const, status, amount: status === 'unknown' ? null : 5n, rewards: null, validator },
    ...{ activationEpoch: null, withdrawableEpoch: null, withdrawableAt: status === 'deactivating' ? BEGIN : null },
  }) as const
const kept = (balance: Balance, before: KeptPosition | null = null) => compare(before, balance, BEGIN).kept

t.test('a position keeps with whom something lies, also with one that is looked at no more', async (t) => {
  const first = kept(positionOf([part('12', 5n), part('7', 0n, true)], null))
  t.same(first.held, ['12'])
  const changed = kept(positionOf([part('13', 0n)], null), first)
  t.same(changed.held, ['12'], 'the settings name it no more, and nobody says that it is empty')
  const named = kept(positionOf([part('13', 1n), part('12', 5n, true)], null), changed)
  t.same(named.held, ['12', '13'])
  t.same(kept(positionOf([part('13', 1n), part('12', 0n, true)], null), named).held, ['13'], 'what was looked at and is empty')
  const { parts: _, ...none } = positionOf([part('13', 1n)], null)
  t.notOk('held' in kept(none), 'where positions depend on no validator')
})

t.test('a validator of which something could not be read is not said to be empty', async (t) => {
  t.same(kept(positionOf([part('13', 0n), part('12', 0n, true)], [exit('7', '12', 'unknown')])).held, ['12'])
  t.same(kept(positionOf([part('13', 0n), part('12', 0n, true)], [exit('7', '12', 'withdrawable')])).held, [], 'the buckets say')
})

t.test('a unit is known again by its name when another validator is the present one, and two of one number are two', async (t) => {
  const parts = [part('13', 0n)]
  const first = kept(positionOf(parts, []))
  const told = compare(first, positionOf(parts, [exit('7', '12', 'withdrawable')]), BEGIN)
  t.equal(told.news.length, 1)
  const both = compare(told.kept, positionOf(parts, [exit('7', '13', 'withdrawable'), exit('7', '12', 'withdrawable')]), BEGIN)
  t.same(
    both.news.map(({ type, object }) => [type, object?.id, object?.validator]),
    [['position.withdrawable', '7', '13']],
  )
  const leaving = kept(positionOf(parts, [exit('7', '12', 'deactivating'), exit('8', '12', 'deactivating', '8')]), first)
  t.same(
    compare(leaving, positionOf(parts, []), BEGIN).news.map(({ type, object }) => [type, object?.id, object?.validator]),
    [
      ['position.withdrawn', '8', '12'],
      ['position.withdrawn', '7', '12'],
    ],
    'what was paid out is named as the balance named it',
  )
})

const { definePlugin } = protocol(paperKit(), { clerk: PaperAddress, former_validators: Former(PaperAddress, 'clerks') })
const base = {
  summary: 'Papers.',
  maxFee: '1',
  actions: {},
  info: async () => NO_TERMS,
  inspect: async () => {},
  balance: async () => positionOf([part('p002', 0n)], null),
}
const loaded = (name: string, plugin: LoadedPlugin['plugin']) => ({ name, version: '1.0.0', plugin }) as LoadedPlugin
const clerks = loaded(
  '@svc/plugin-clerks',
  definePlugin({
    ...base,
    name: '@svc/plugin-clerks',
    prefix: '/clerks/native',
    validators: ({ clerk, former_validators: former }) => [clerk, ...former],
  }),
)
const anyones = loaded('@svc/plugin-anyones', definePlugin({ ...base, name: '@svc/plugin-anyones', prefix: '/anyones/native' }))

t.test('how many wallets are with a former validator, with which nobody is, and with which no setting names, is told', (t) =>
  onBoth(t, async (t, store, { dataDir, databaseUrl }) => {
    const configOf = (settings: object, own: object = {}) => {
      const network = { name: 'one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002', ...settings }
      const plugins = { [clerks.name]: { networks: { 1: network } }, [anyones.name]: { networks: { 1: { ...network, clerk: 'p002' } } } }
      const accounts = { acme: { name: 'Acme' }, gamma: { name: 'Gamma', plugins: { [clerks.name]: { networks: { 1: own } } } } }
      const place = { data_dir: dataDir || t.testdir(), ...(databaseUrl ? { database_url: databaseUrl } : {}) }
      return parseConfig({ ...place, plugins, accounts } as ConfigInput, {})
    }
    const found = async (settings: object, own: object = {}) => {
      const config = configOf(settings, own)
      const reports = await inspectState(config, config.data_dir, [clerks, anyones])
      const { text, problem, warning } = reports.find((each) => each.part === 'validators') ?? {}
      t.equal(problem, false)
      const { lost, former } = await readValidatorWords(config, [clerks, anyones], store)
      t.equal(text, [...lost, ...former].join('; ') || 'no setting names a former one, and no wallet that is followed is with one')
      t.equal(warning === null, lost.length === 0)
      return { lost, former, warning }
    }
    const options = { at: BEGIN, afterMs: 0, most: 99 }
    const key = (wallet: string, account = 'acme', name = 'clerks') => ({ account, protocol: name, network: '1', wallet })
    const save = (of: ReturnType<typeof key>, held: readonly string[]) =>
      store.transact(
        function* (database) {
          yield* watchCrafted(database, of, options)
          const watches = yield* claimWatches(database, of, { most: 99, leaseMs: 1, after: '', reason: 'first' })
          const position = JSON.stringify({ held })
          for (const watch of watches)
            yield* savePosition(database, watch, { position, dueMs: null, sweepMs: null, digest: null, compareMs: null })
        },
        { now: () => BEGIN },
      )
    t.same(await found({}), { lost: [], former: [], warning: null })

    await save(key('p101'), ['p003', 'p005'])
    await save(key('p102'), ['p003'])
    await save(key('p103', 'gamma'), ['p003'])
    await save(key('p104', 'acme', 'anyones'), ['p077'])
    await save(key('p105'), ['p002'])
    const path = `plugins.${clerks.name}.networks.1`
    const after = await found({ former_validators: ['P003', 'p009'] }, { former_validators: ['p003', 'p005'] })
    t.same(after.lost, [`1 wallet of account acme on clerks 1 with p005 (${path})`], 'where no setting of the account names it')
    t.same(after.former, [
      '2 wallets of account acme on clerks 1 with the former p003',
      `no wallet of account acme on clerks 1 that is followed with the former p009, which can be taken out where it is not misspelt (${path})`,
      '1 wallet of account gamma on clerks 1 with the former p003',
      `no wallet of account gamma on clerks 1 that is followed with the former p005, which can be taken out where it is not misspelt (accounts.gamma.plugins.${clerks.name}.networks.1)`,
    ])
    t.match(
      after.warning,
      /^validators: no setting names those .*: 1 wallet of account acme .* with p005 .*\. Name each in former_validators /,
    )
    t.same(
      (await found({ clerk: 'p005', former_validators: ['p002', 'p003'] }, { clerk: 'p003', former_validators: [] })).lost,
      [],
      'the present one is none',
    )

    await store.transact((database) => watchCrafted(database, key('p106'), options), { now: () => BEGIN })
    t.same((await found({ former_validators: ['p003', 'p005', 'p009'] }, { clerk: 'p003', former_validators: [] })).former, [
      '2 wallets of account acme on clerks 1 with the former p003, and 1 wallet not read yet',
      '1 wallet of account acme on clerks 1 with the former p005, and 1 wallet not read yet',
      '0 wallets of account acme on clerks 1 with the former p009, and 1 wallet not read yet',
    ])
    await store.transact((database) => unwatch(database, key('p106')))
    await store.transact((database) => unwatch(database, key('p101')))
    t.same((await found({ former_validators: ['p003'] }, { clerk: 'p003', former_validators: [] })).former, [
      '1 wallet of account acme on clerks 1 with the former p003',
    ])
  }),
)
