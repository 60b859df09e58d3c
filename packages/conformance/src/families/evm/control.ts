import { itemsOf, membersOf } from '@svc/contract'
import { concat, encodeRlp, keccak256, type SigningKey, toQuantity } from 'ethers'
import type { ForeignChange, ForeignStage, PowerLie } from '../../control/options.ts'
import type { Player } from '../../player.ts'
import { present } from '../../present.ts'
import { rpc } from '../json-rpc/call.ts'
import { landed } from './landed.ts'
import type { EvmWallet } from './wallet.ts'

/** Type of a transaction that sets the code of wallets, and the byte before what a wallet signs for it. @see https://eips.ethereum.org/EIPS/eip-7702 (read 2026-11-29) */
const SET_CODE = '0x04'
const AUTHORIZES = '0x05'
/** Contract to which wallets are delegated, and another one; that there is no code at it makes no difference. */
const DELEGATE = `0x${'66'.repeat(20)}`
const OTHER = `0x${'77'.repeat(20)}`
/** Delegation to it takes the code away. */
const NOBODY = `0x${'00'.repeat(20)}`
/** Gas of a transaction with one authorization: 21,000, and 25,000 for it. */
const GAS = 100_000n
const GWEI = 10n ** 9n

/** Changes that others make to a wallet, whatever its position is. */
export const delegations: readonly ForeignChange[] = [
  {
    name: 'the wallet is delegated to a contract',
    play: (stage) => delegates(stage, DELEGATE),
    told: ['position.control_changed wallet_code'],
  },
  {
    name: 'the wallet is delegated to another contract',
    before: (stage) => delegates(stage, DELEGATE),
    play: (stage) => delegates(stage, OTHER),
    told: ['position.control_changed wallet_code'],
  },
  {
    name: 'the wallet is delegated no more',
    before: (stage) => delegates(stage, DELEGATE),
    play: (stage) => delegates(stage, NOBODY),
    told: ['position.control_changed wallet_code'],
  },
]

/**
 * Makes changes that belong to the ordinary life of a stake.
 *
 * @param leave has the owner leave with a part of it by the service, and whatever else he does there
 */
export function ordinaryChanges(leave: (followed: Player) => Promise<unknown>): readonly ForeignChange[] {
  return [
    { name: 'three epochs pay rewards', play: async ({ player }) => void (await player.advance({ epochs: 3 })), told: [], ordinary: true },
    {
      name: 'its owner leaves with a part by the service',
      play: async ({ followed }) => void (await leave(followed)),
      told: [],
      ordinary: true,
    },
    {
      name: 'a stranger sends it one base unit',
      play: async ({ rpcUrl, player, stranger }) => void (await pays(rpcUrl, stranger.wallet as EvmWallet, player.wallet.address)),
      told: [],
      ordinary: true,
    },
  ]
}

/** Lies about the code of wallets. */
export const delegationLies: readonly PowerLie[] = [
  {
    name: 'the wallet is delegated to a contract',
    answer(question, answer) {
      const parsed = membersOf(JSON.parse(answer))
      const [method] = itemsOf(JSON.parse(question))
      return method === 'eth_getCode' && parsed.result === '0x'
        ? JSON.stringify({ ...parsed, result: `0xef0100${DELEGATE.slice(2)}` })
        : answer
    },
  },
]

/** Has the wallet sign a delegation, and somebody else send it. */
async function delegates({ rpcUrl, player, stranger }: ForeignStage, contract: string): Promise<void> {
  const { key: owner, address } = player.wallet as EvmWallet
  const sender = stranger.wallet as EvmWallet
  const nonceOf = async (of: string) => BigInt(String(await rpc(rpcUrl, 'eth_getTransactionCount', [of, 'latest'])))
  const [chainId, nonce, senderNonce] = await Promise.all([
    rpc(rpcUrl, 'eth_chainId', []).then((id) => BigInt(String(id))),
    nonceOf(address),
    nonceOf(sender.address),
  ])
  const terms = [number(chainId), contract, number(nonce)]
  const authorization = [...terms, ...signed(owner, concat([AUTHORIZES, encodeRlp(terms)]))]
  const price = BigInt(String(await rpc(rpcUrl, 'eth_gasPrice', []))) * 2n
  const fields = [
    ...[number(chainId), number(senderNonce), number(price < GWEI ? price : GWEI), number(price), number(GAS), sender.address, '0x', '0x'],
    ...[[], [authorization]],
  ]
  const signature = signed(sender.key, concat([SET_CODE, encodeRlp(fields)]))
  const hash = await rpc(rpcUrl, 'eth_sendRawTransaction', [concat([SET_CODE, encodeRlp([...fields, ...signature])])])
  await landed(rpcUrl, String(hash))
  const code = String(await rpc(rpcUrl, 'eth_getCode', [address, 'latest']))
  const expected = contract === NOBODY ? '0x' : `0xef0100${contract.slice(2)}`
  present(code === expected ? code : undefined, `a wallet with the code ${expected}, which is ${code}`)
}

/** Has a wallet pay one base unit to an address. */
async function pays(rpcUrl: string, sender: EvmWallet, to: string): Promise<void> {
  const [chainId, nonce, gasPrice] = await Promise.all(
    [
      ['eth_chainId', []],
      ['eth_getTransactionCount', [sender.address, 'latest']],
      ['eth_gasPrice', []],
    ].map(([method, params]) => rpc(rpcUrl, String(method), params as unknown[]).then((text) => BigInt(String(text)))),
  )
  const fields = [nonce, gasPrice, GAS].map((each) => number(present(each, 'a number')))
  const payment = [...fields, to, number(1n), '0x']
  const { yParity, r, s } = sender.key.sign(keccak256(encodeRlp([...payment, number(present(chainId, 'a chain')), '0x', '0x'])))
  const v = present(chainId, 'a chain') * 2n + 35n + BigInt(yParity)
  const raw = encodeRlp([...payment, number(v), number(BigInt(r)), number(BigInt(s))])
  await landed(rpcUrl, String(await rpc(rpcUrl, 'eth_sendRawTransaction', [raw])))
}

/** The signature of a message in three fields: parity, r, s. */
function signed(key: SigningKey, message: string): readonly string[] {
  const { yParity, r, s } = key.sign(keccak256(message))
  return [number(BigInt(yParity)), number(BigInt(r)), number(BigInt(s))]
}

/** A number as RLP has it: without zeros before it, and empty for 0. */
function number(value: bigint): string {
  if (value === 0n) return '0x'
  const digits = toQuantity(value).slice(2)
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}
