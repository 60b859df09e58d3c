import t from 'tap'
import { evmVault, methods } from '../src/index.ts'
import { ADDRESS, all, type CallTrial, data, ETHER, harvestArgs, network, REFERRER, ROOT, reviewed, THIEF, VAULT } from './support.ts'

const FEE = 'on eip155:1; fee at most 0.00024 ETH; valid while the nonce of the account is 7.'
const moved = (kind: string, amount: bigint | null = null) => ({ kind, asset: 'native', amount })
const shares = { kind: 'leaves', asset: VAULT, amount: 2n * ETHER }
const staked = [moved('leaves', 3n * ETHER), moved('staked', 3n * ETHER), { kind: 'arrives', asset: VAULT, amount: null }]

t.test('every action, with a harvest and without, is taken and said word for word', async (t) => {
  const stake = { amount: '3', value: 3n * ETHER }
  const update = data('updateState', harvestArgs)
  const [claim, other] = [data('claimExitedAssets', 0, 1700000000, 0), data('claimExitedAssets', 29n, 1700003600, 1)]
  const exit = data('enterExitQueue', 2n * ETHER, ADDRESS)
  const updating = `bring the vault ${VAULT} up to the oracles' report ${ROOT}, then`
  const queued = `put 2 shares of the vault ${VAULT} into its exit queue, for ${ADDRESS} to claim`
  const whose = `in the vault ${VAULT} for ${ADDRESS}, with the referrer ${REFERRER}`
  const first = `claim the exit with the ticket 0 of second 1700000000 since 1970 from the vault ${VAULT} at checkpoint 0`
  const second = `claim the exit with the ticket 29 of second 1700003600 since 1970 from the vault ${VAULT} at checkpoint 1`
  const cases: readonly (readonly [name: string, tried: CallTrial, sentence: string, moves: readonly object[]])[] = [
    ['stake', { ...stake, data: data('deposit', ADDRESS, REFERRER) }, `stake 3 ETH ${whose} ${FEE}`, staked],
    [
      'stake',
      { ...stake, data: data('updateStateAndDeposit', ADDRESS, REFERRER, harvestArgs) },
      `${updating} stake 3 ETH ${whose} ${FEE}`,
      staked,
    ],
    ['unstake', { amount: '2', data: exit }, `${queued} ${FEE}`, [shares, moved('freed')]],
    ['unstake', { amount: '2', data: all(update, exit) }, `${updating} ${queued} ${FEE}`, [shares, moved('freed')]],
    [
      'unstake',
      { amount: '2', data: data('redeem', 2n * ETHER, ADDRESS) },
      `redeem 2 shares of the vault ${VAULT}, paid to ${ADDRESS} at once ${FEE}`,
      [shares, moved('freed'), moved('arrives')],
    ],
    ['withdraw', { data: claim }, `${first} ${FEE}`, [moved('arrives')]],
    ['withdraw', { data: all(claim, other) }, `${first}, then ${second} ${FEE}`, [moved('arrives'), moved('arrives')]],
    ['withdraw', { data: all(update, claim) }, `${updating} ${first} ${FEE}`, [moved('arrives')]],
  ]
  for (const [name, tried, sentence, moves] of cases) {
    const found = reviewed(name, tried)
    t.match(found, { known: true }, name)
    t.equal('sentence' in found && found.sentence, sentence.charAt(0).toUpperCase() + sentence.slice(1))
    t.same('moves' in found && found.moves, moves, name)
  }
})

t.test('what is not of the protocol is not put into its words', async (t) => {
  const [claim = ''] = methods.filter((method) => method.startsWith('claim'))
  const [several = ''] = methods.filter((method) => method.startsWith('multicall'))
  const call = { target: VAULT, method: claim, args: { ticket: 1n, timestamp: 2n, index: 3n }, value: 0n }
  t.ok(evmVault.describe({ ...call, target: VAULT.toUpperCase().replace('X', 'x') }, network))
  t.equal(evmVault.describe({ ...call, target: THIEF }, network), null)
  t.equal(evmVault.describe({ ...call, method: '', args: {} }, network), null)
  const within = (...calls: readonly string[]) => evmVault.describe({ ...call, method: several, args: { calls } }, network)
  t.ok(within(data('claimExitedAssets', 1, 2, 3)))
  const known = data('claimExitedAssets', 1, 2, 3)
  for (const calls of [[], ['0x'], [known, '0x12345678'], [known, `${known}00`], [all(known)], [data('deposit', ADDRESS, REFERRER)]])
    t.equal(within(...calls), null, calls.join())
})
