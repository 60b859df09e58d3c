import { SettingsError } from '@svc/contract'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import t from 'tap'
import { Type } from 'typebox'
import { resolveNetwork, settingsSchema } from '../../src/plugins/network/settings.ts'

const declaration = {
  kit: paperKit(),
  network: Type.Object({
    desk: Type.Unsafe<string>({ ...PaperAddress, default: 'P007' }),
    validator_id: Type.Integer({ minimum: 1 }),
  }),
  maxFee: '0.5',
}
const resolve = (settings: Record<string, unknown>) =>
  resolveNetwork<Record<string, unknown>>(declaration, { chainId: '1', name: 'one', path: 'plugins.p.networks.1', settings })

t.test('defaults of family and protocol are filled in, addresses are canonical, and the whole is frozen', async (t) => {
  const network = resolve({ validator_id: 12 })
  t.same(network, {
    ink: 'blue',
    desk: 'p007',
    validator_id: 12,
    max_fee: '0.5',
    name: 'one',
    chainId: '1',
    decimals: 18,
    maxFee: 5n * 10n ** 17n,
  })
  t.ok(Object.isFrozen(network))
})

t.test("the operator's own values win over defaults, and are left as they were given", async (t) => {
  const given = Object.freeze({ validator_id: 3, ink: 'red', desk: 'P001', max_fee: '2' })
  t.match(resolve(given), { ink: 'red', desk: 'p001', maxFee: 2n * 10n ** 18n })
  t.same(given, { validator_id: 3, ink: 'red', desk: 'P001', max_fee: '2' })
})

t.test('a setting that does not fit is refused with its path and what would be right', async (t) => {
  const refused = (settings: Record<string, unknown>, message: string | RegExp) =>
    t.throws(() => resolve(settings), { name: 'SettingsError', code: 'SETTINGS_INVALID', message })
  refused({}, /^plugins\.p\.networks\.1: validator_id is missing\. Known here: ink, desk, validator_id, max_fee\.$/)
  refused({ validator_id: 0 }, 'plugins.p.networks.1.validator_id: must be >= 1, but it is 0.')
  refused({ validator_id: '12' }, /must be integer, but it is "12"/)
  refused({ validator: 12, validator_id: 1 }, /^plugins\.p\.networks\.1\.validator: there is no such setting\. Known here/)
  refused({ validator_id: 1, desk: 'nowhere' }, /^plugins\.p\.networks\.1\.desk: "nowhere" is not a paper address/)
  refused({ validator_id: 1, max_fee: 'much' }, /^plugins\.p\.networks\.1\.max_fee: must match pattern/)
  refused({ validator_id: 1, max_fee: '0.0000000000000000001' }, /^plugins\.p\.networks\.1\.max_fee: .*more decimals/)
})

t.test('a fault of the kit is not taken for a setting', async (t) => {
  const kit = paperKit({
    address() {
      throw new TypeError('a fault')
    },
  })
  t.throws(
    () => resolveNetwork({ ...declaration, kit }, { chainId: '1', name: 'one', path: 'p', settings: { validator_id: 1 } }),
    TypeError,
  )
})

t.test('the schema holds the members of family and protocol and the fee cap, and no other', async (t) => {
  t.same(Object.keys(settingsSchema(declaration).properties), ['ink', 'desk', 'validator_id', 'max_fee'])
  t.match(settingsSchema(declaration), { additionalProperties: false })
})

t.test('settings that fit one by one, and not together, are refused in the words of the protocol, with their place', async (t) => {
  const validateSettings = ({ chainId, ink }: { chainId: string; ink?: string }) => {
    if (ink === 'red') throw new SettingsError(`network ${chainId} wants blue ink.`)
    if (ink === 'none') throw new TypeError('a fault')
  }
  const given = { chainId: '1', name: 'one', path: 'plugins.p.networks.1' }
  const with_ = (ink: string) => () =>
    resolveNetwork({ ...declaration, validateSettings }, { ...given, settings: { validator_id: 1, ink } })
  t.match(with_('blue')(), { ink: 'blue' })
  t.throws(with_('red'), { name: 'SettingsError', message: 'plugins.p.networks.1: network 1 wants blue ink.' })
  t.throws(with_('none'), { name: 'TypeError', message: 'a fault' })
})
