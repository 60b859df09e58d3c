import type { ServiceError, SignedTransaction } from '@svc/client'
import { cosmjsSigner, rawSigner } from '@svc/client/signers'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { until } from '../programs.ts'
import type { Service } from '../service.ts'
import { type Books, type DeliveredTransaction, readBooks, readDelivered } from './books.ts'
import type { Chain } from './chain.ts'
import type { Wallet } from './keys.ts'

/** An action of the service, as the API calls it. */
export type Action = 'stake' | 'unstake' | 'claim-rewards'

/** Key of a wallet, by how it signs: a custodian a hash, Keplr a document that it writes anew, a hardware wallet behind Keplr one in amino JSON. */
export type Signing = 'custodian' | 'extension' | 'device'

/** A status as the API answers it: members that the node does not keep are null. */
interface Status {
  readonly status: string
  readonly finality: string
  readonly certainty: string
  readonly fee: { readonly amount: string | number } | null
  readonly moves: readonly { readonly kind: string; readonly asset: string; readonly units: string | null }[] | null
  readonly object_ids: readonly string[] | null
  readonly error: { readonly code: string; readonly reason: string } | null
  readonly [member: string]: unknown
}

/** A signed transaction with what its bytes say. */
export interface PreparedTransaction {
  readonly action: Action
  readonly wallet: Wallet
  /** Base units; 0 for a claim. */
  readonly amount: bigint
  readonly signed: SignedTransaction
  readonly hash: string
  readonly base64: string
  readonly fee: bigint
  readonly gasLimit: bigint
}

/** Outcome of a transaction, as the service and as the node say. */
export interface LandedTransaction extends PreparedTransaction {
  /** null where the service did not come to an end of it in time. */
  readonly status: Status | null
  readonly delivered: DeliveredTransaction
  /** Books of the state before and after the transaction's block. */
  readonly before: Books
  readonly after: Books
}

/** A customer of the service on one chain, with the node beside it. */
export interface Player {
  readonly chain: Chain
  /** Operator's address of the validator that is staked with. */
  readonly validator: string
  /** @param by custodian unless another is named. @throws ServiceError with the service's refusal */
  craft(wallet: Wallet, action: Action, amount?: bigint, by?: Signing): Promise<PreparedTransaction>
  send(prepared: PreparedTransaction): Promise<void>
  /** Waits until the node has it in a block and the service has told an end, and reads the books on both sides. */
  follow(prepared: PreparedTransaction): Promise<LandedTransaction>
  /** All three. */
  act(wallet: Wallet, action: Action, amount?: bigint, by?: Signing): Promise<LandedTransaction>
  status(hash: string): Promise<{ readonly http: number; readonly body: Status & { readonly code?: string; readonly message?: unknown } }>
  /** Reads what the service says of a position, with the books at the heights between which it was asked. */
  position(wallet: Wallet): Promise<{ readonly said: Position; readonly books: readonly Books[] }>
}

/** A position in base units. */
export interface Position {
  readonly staked: bigint
  readonly deactivating: bigint
  readonly rewards: bigint
  /** Identifier and amount of each exit. */
  readonly exits: readonly string[]
}

/** Time that a transaction may wait for its block, in blocks. */
const BLOCKS = 20
/** Time that the service may take to tell an end after that, in seconds. */
const END_SECONDS = 30
/** Millionths: both chains have six decimals. */
const DECIMALS = 6

/**
 * Makes a customer.
 *
 * @param account of the service whose key and validator are taken
 * @param node whose books are read, by its index
 */
export function createPlayer(service: Service, chain: Chain, validator: string, account = 'own', node: 0 | 1 | 2 | 3 = 0): Player {
  const { family } = chain
  const { hub } = service.client({ hub: family.intent }, account)
  const { rpc } = chain.nodes[node]
  const books = (wallet: Wallet, height?: bigint) => readBooks(rpc, family.denom, validator, wallet.address, height)
  const status: Player['status'] = async (hash) => {
    const { status: http, body } = await service.ask('GET', `/api/v1${family.intent.path}/transaction/${hash}`, {
      network: family.chainId,
      account,
    })
    return { http, body: body as Awaited<ReturnType<Player['status']>>['body'] }
  }
  const player: Player = {
    chain,
    validator,
    status,
    async craft(wallet, action, amount = 0n, by = 'custodian') {
      const { pubkey } = wallet
      const transaction = await (action === 'claim-rewards'
        ? hub.craft(action, { pubkey })
        : hub.craft(action, { pubkey, amount: textOf(amount) }))
      const signer =
        by === 'custodian'
          ? rawSigner({ sign: async (hash) => wallet.sign(hash) })
          : cosmjsSigner(await wallet[by](family.chainId), wallet.address)
      const signed = await transaction.sign(signer)
      const bytes = Buffer.from(Object.values(signed.signed)[0] ?? '', 'hex')
      const { fee } = AuthInfo.decode(TxRaw.decode(bytes).authInfoBytes)
      return {
        action,
        wallet,
        amount,
        signed,
        hash: signed.txHash,
        base64: bytes.toString('base64'),
        fee: BigInt(fee?.amount[0]?.amount ?? '0'),
        gasLimit: fee?.gasLimit ?? 0n,
      }
    },
    async send({ signed }) {
      await hub.send(signed)
    },
    async follow(prepared) {
      const { hash, wallet } = prepared
      const delivered = await until(`${prepared.action} ${hash} in a block`, BLOCKS * family.blockSeconds + 60, () =>
        readDelivered(rpc, family.keepsResults, hash),
      )
      const ended = await until(`an end of ${hash}`, END_SECONDS, async () => {
        const { http, body } = await status(hash)
        return http === 200 && body.finality === 'final' && body
      }).catch(() => null)
      const [before, after] = await Promise.all([books(wallet, delivered.height - 1n), books(wallet, delivered.height)])
      return { ...prepared, status: ended, delivered, before, after }
    },
    async act(wallet, action, amount, by) {
      const prepared = await player.craft(wallet, action, amount, by)
      await player.send(prepared)
      return player.follow(prepared)
    },
    async position(wallet) {
      const from = await rpc.applied()
      const { staked, deactivating, rewards, objects } = await hub.balance(wallet.address)
      const to = await rpc.height()
      const heights = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
      return {
        said: {
          staked: staked.units,
          deactivating: deactivating?.units ?? 0n,
          rewards: rewards?.units ?? 0n,
          exits: (objects ?? []).map(({ id, amount }) => `${id}:${amount?.units}`),
        },
        books: await Promise.all(heights.map((height) => books(wallet, height))),
      }
    },
  }
  return player
}

/** Tells whether an error is the service's refusal with that code. */
export function isRefusal(error: unknown, code?: string): error is ServiceError {
  return error instanceof Error && 'code' in error && 'sentence' in error && (code === undefined || error.code === code)
}

/** Base units as decimal text. */
function textOf(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
