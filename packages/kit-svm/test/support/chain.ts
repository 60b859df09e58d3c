import { createPrivateKey, sign } from 'node:crypto'
import { type Context, declareErrors } from '@svc/contract'
import { type SvmChain, startSvmChain } from '@svc/sandbox-svm'
import { Keypair } from '@svc/solana'
import { type SvmClient, type SvmDraft, type SvmSettings, svm } from '../../src/index.ts'
import { connect } from './node.ts'

const { badGateway } = declareErrors({ UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'] })

/** A wallet on a local chain, with the kit between the two. */
export interface Stage {
  readonly chain: SvmChain
  readonly ctx: Context<SvmClient, SvmSettings>
  readonly wallet: Keypair
  /** Crafts, and lets the wallet sign. @returns hex of the signed transaction */
  craft(draft: SvmDraft, input?: Readonly<Record<string, unknown>>): Promise<string>
  broadcast(signed: string): Promise<string>
  /** All of it. @returns the hash */
  act(draft: SvmDraft, input?: Readonly<Record<string, unknown>>): Promise<string>
}

/** @param sol that the wallet gets, decimal text */
export async function startStage(sol = '100'): Promise<Stage> {
  const chain = await startSvmChain({ chainId: 'mainnet-beta' })
  const fetchThere = async (_url: unknown, init?: RequestInit) => {
    try {
      return await fetch(chain.rpcUrl, init)
    } catch (error) {
      throw badGateway('UPSTREAM_UNAVAILABLE', 'No endpoint answers.', error)
    }
  }
  const ctx = connect({ fetch: fetchThere as typeof fetch })
  const wallet = Keypair.fromSeed(new Uint8Array(32).fill(1))
  const address = wallet.publicKey.toBase58()
  await chain.fund(address, sol)

  async function craft(draft: SvmDraft, input: Readonly<Record<string, unknown>> = {}) {
    const { unsigned } = await svm.assemble(ctx, draft, svm.preflight(ctx, address, input))
    const bytes = Buffer.from(unsigned.unsigned_tx_hex, 'hex')
    const signature = signed(wallet, bytes.subarray(1 + 64 * bytes[0]!)).toString('hex')
    return (await svm.prepare(ctx, { ...unsigned, signatures: [signature] })).signed_tx_hex
  }
  const broadcast = async (signed_tx_hex: string) => (await svm.broadcast(ctx, { signed_tx_hex })).tx_hash
  return { chain, ctx, wallet, craft, broadcast, act: async (draft, input) => broadcast(await craft(draft, input)) }
}

function signed(wallet: Keypair, message: Buffer): Buffer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), wallet.secretKey.subarray(0, 32)])
  return sign(null, message, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}
