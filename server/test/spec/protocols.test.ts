import t from 'tap'
import { get, manager, sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'

t.test('what is enabled is told with the terms that a customer pins and the staking-info that its own route answers', async (t) => {
  const pinned = await trust()
  const { status, json } = await get('/api/v1/protocols', manager)
  t.equal(status, 200)
  t.equal(json.length, 9)
  for (const { path, networks, family, signer, actions, term_descriptions } of json) {
    const document = pinned.protocols.find((each) => `/api/v1${each.path}` === path)
    t.same(
      networks.map(({ terms, default: isDefault }: any) => ({ default: isDefault, terms })),
      document?.networks,
      path,
    )
    for (const {
      network,
      caip2,
      terms,
      staking_info,
      staking_info_age_seconds,
      staked_with,
      staked_with_age_seconds,
      ...rest
    } of networks) {
      t.match(
        staked_with,
        [{ state: 'active', reason: null, commission_percent: Number }],
        `${path}: what it stakes with was read at the start`,
      )
      t.ok(Object.values(terms).map(String).includes(staked_with[0].id), `${path}: and is what the terms name`)
      const { staked_with_interval_seconds: interval } = rest
      t.ok(interval >= 300 && interval <= 2 * 86_400, path)
      // However long the tests before this one have taken.
      t.ok(Number.isInteger(staked_with_age_seconds) && staked_with_age_seconds >= 0 && staked_with_age_seconds < 2 * interval, path)
      const route = await get(`${path}/staking-info`, { 'x-api-key': sandbox.apiKey, 'x-network': network })
      t.equal(route.status, 200, path)
      t.equal(caip2, terms.caip2)
      const { chainId, caip2: _, decimals, symbol, max_fee, ...own } = terms
      for (const name of Object.keys(own)) t.type(term_descriptions[name], 'string', `${path}: what ${name} means`)
      // It may have been read for the first time only now.
      if (staking_info === null) continue
      t.same(staking_info, route.json, path)
      t.ok(Math.abs(staking_info_age_seconds - Number(route.headers.get('x-snapshot-age'))) <= 60, path)
    }
    t.ok(['cosmos', 'evm', 'move', 'svm'].includes(family), path)
    for (const { input } of actions)
      t.notOk(
        input.find(({ type }: any) => type === 'object'),
        `${path}: each has a type`,
      )
    for (const { input } of actions) t.ok(input.find(({ name, required }: any) => name === signer && required))
  }
  const [again] = (await get('/api/v1/protocols', { token: sandbox.operatorToken })).json
  t.match(
    again.networks[0],
    { staking_info: { staking_apr: Number }, staking_info_age_seconds: Number },
    'read once, it is there; and one account need not be named',
  )
})
