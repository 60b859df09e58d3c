import { type Context, protocol, SettingsError } from '@svc/contract'
import { desk, ioOf, PaperAddress, type PaperClient, paperKit } from '@svc/testing/paper'
import { definePlugin } from '@svc/testing/paper-protocol'
import t from 'tap'
import { inspectGroup, inspectNetwork } from '../../src/plugins/network/inspect.ts'
import { declaration, one, refusals } from './support/host.ts'

const { badGateway } = refusals

const inspect = (fetch = desk(), changes: { inspect?: () => Promise<undefined>; inspectFormer?: () => Promise<readonly string[]> } = {}) =>
  inspectNetwork(definePlugin({ ...declaration, ...changes }).protocol, one, ioOf(fetch))

t.test('a network that is what the config says has no problems', async (t) => {
  t.same(await inspect(), { chainId: '1', problems: [], unreachable: false, doubts: [] })
})

t.test('an endpoint of another chain is a problem, and nothing more is asked of it', async (t) => {
  const fetch = desk({ who: { chain: '2' } })
  const must = async () => {
    throw new Error('must not be asked')
  }
  t.same(await inspect(fetch, { inspect: must }), {
    chainId: '2',
    problems: ['the endpoint serves chain 2, not 1.'],
    unreachable: false,
    doubts: [],
  })
  t.same(fetch.asked, ['who'])
})

t.test('settings that are not true on the chain are a problem, in the words of the protocol', async (t) => {
  const untrue = async () => {
    throw new SettingsError('there is no clerk p002.')
  }
  t.same(await inspect(desk(), { inspect: untrue }), {
    chainId: '1',
    problems: ['there is no clerk p002.'],
    unreachable: false,
    doubts: [],
  })
})

t.test('a former one that the chain does not know is a doubt and no problem, and is not asked for beside a problem', async (t) => {
  const inspectFormer = async () => ['no clerk p009.']
  t.same(await inspect(desk(), { inspectFormer }), { chainId: '1', problems: [], unreachable: false, doubts: ['no clerk p009.'] })
  const untrue = async () => {
    throw new SettingsError('there is no clerk p002.')
  }
  t.same((await inspect(desk(), { inspect: untrue, inspectFormer })).doubts, [])
  const later = async () => {
    throw badGateway('AWAY', 'The chain is away.')
  }
  t.match(await inspect(desk(), { inspectFormer: later }), { problems: ['The chain is away.'], unreachable: true, doubts: [] })
})

t.test('a chain that cannot be asked is unreachable, which is not wrong', async (t) => {
  const away = badGateway('AWAY', 'The chain is away.')
  t.same(await inspect(desk({ who: away })), { chainId: null, problems: ['The chain is away.'], unreachable: true, doubts: [] })
  const later = async () => {
    throw away
  }
  t.same(await inspect(desk(), { inspect: later }), { chainId: '1', problems: ['The chain is away.'], unreachable: true, doubts: [] })
})

t.test('settings that do not fit are thrown before anybody is asked', async (t) => {
  const fetch = desk()
  const io = ioOf(fetch)
  await t.rejects(inspectNetwork(definePlugin(declaration).protocol, { ...one, settings: {} }, io), { name: 'SettingsError' })
  t.same(fetch.asked, [])
})

t.test('its client is closed, whatever came of it', async (t) => {
  const clients: { closed: boolean }[] = []
  const kit = paperKit({
    connect(network, io) {
      const client = paperKit().connect(network, io)
      clients.push(client)
      return client
    },
  })
  const plugin = protocol(kit, { clerk: PaperAddress }).definePlugin(declaration)
  await inspectNetwork(plugin.protocol, one, ioOf(desk()))
  await inspectNetwork(plugin.protocol, one, ioOf(desk({ who: new Error('away') })))
  t.same(
    clients.map(({ closed }) => closed),
    [true, true],
  )
})

t.test('an endpoint of a group besides the chain is asked by the protocol, which reaches it alone', async (t) => {
  const fetch = desk({ who: { chain: 'an index' } })
  const io = ioOf(fetch)
  const seen: unknown[] = []
  const groups = {
    async index({ client, upstream: reach }: Context<PaperClient, object>) {
      seen.push(reach('index')?.fetch === fetch, reach('other'), await client.ask('who').catch((error: Error) => error.message))
    },
    async archive() {
      throw new SettingsError('the archive is 90 seconds behind.')
    },
    async away() {
      throw badGateway('AWAY', 'The index is away.')
    },
  }
  const { protocol: own } = definePlugin({ ...declaration, groups })
  t.same(await inspectGroup(own, one, 'index', io), { chainId: null, problems: [], unreachable: false, doubts: [] })
  t.match(seen, [true, null, /only the endpoint of the group is asked/])
  t.match(await inspectGroup(own, one, 'archive', io), { problems: ['the archive is 90 seconds behind.'], unreachable: false, doubts: [] })
  t.match(await inspectGroup(own, one, 'away', io), { problems: ['The index is away.'], unreachable: true, doubts: [] })
  const [problem] = (await inspectGroup(own, one, 'indx', io)).problems
  t.equal(problem, `${one.path}.endpoints.indx: there is no such group of endpoints. Known here: desk, index, archive, away.`)
})
