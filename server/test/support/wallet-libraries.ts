import { createHash } from 'node:crypto'
import { CosmJSOfflineSigner, CosmJSOfflineSignerOnlyAmino } from '@keplr-wallet/provider'
import { CosmjsOfflineSigner as LeapSigner } from '@leapwallet/cosmos-snap-provider'
import { createDAppKit } from '@mysten/dapp-kit-core'
import { Transaction as SuiTransaction } from '@mysten/sui/transactions'
import { getWallets } from '@mysten/wallet-standard'
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner'
import { SolanaWalletAdapterWallet } from '@solana/wallet-standard-wallet-adapter-base'
import { ComputeBudgetProgram, Transaction as SolanaTransaction } from '@solana/web3.js'
import type { Signer } from '@svc/client'
import {
  type CosmjsAminoSigner,
  type CosmjsSigner,
  cosmjsSigner,
  eip1193Signer,
  ethersSigner,
  suiWallet,
  viemSigner,
  walletStandard,
} from '@svc/client/signers'
import { type CosmosAccount, keplrOf, type Mood, openAccount, signAminoAs, signDirectAs } from '@svc/testing/keplr'
import { BrowserProvider, Wallet as EthersWallet, type TransactionRequest } from 'ethers'
import { createWalletClient, custom } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

// Wallets by the libraries that are published of them, each with a key of its own. Of Keplr, Leap and a wallet of EIP-1193 only the half that runs in a page is published:
// the other half, an extension with the key and a person before it, is stood in for here, and does what the extension's source does.

/** An account in a wallet's library. */
export interface LibraryWallet {
  readonly address: string
  /** Compressed, in hex; of Cosmos alone. */
  readonly pubkey: string
  /** Makes the signer that the client has for this library. */
  signer(mood: Mood): Signer
}

/** Ten times the price that the sandbox asks for, in micro-lamports. */
const OWN_PRICE = 7_000

/** The same account in each of four libraries of EVM chains. */
export function evmWallets(chainId: number): Readonly<Record<string, () => Promise<LibraryWallet>>> {
  const opened = (make: (wallet: EthersWallet) => (mood: Mood) => Signer) => async () => {
    const wallet = new EthersWallet(EthersWallet.createRandom().privateKey)
    return { address: wallet.address, pubkey: '', signer: make(wallet) }
  }
  const privateKey = ({ privateKey }: EthersWallet) => privateKey as `0x${string}`
  return {
    'viem: an account that holds its key': opened((wallet) => {
      const account = privateKeyToAccount(privateKey(wallet))
      const signTransaction = (mood: Mood) => (transaction: any) =>
        account.signTransaction(mood === 'obedient' ? transaction : { ...transaction, ...otherwise(transaction, mood, 'gas') })
      return (mood) => viemSigner({ signTransaction: signTransaction(mood) })
    }),
    'viem: a client of a wallet of EIP-1193': opened((wallet) => (mood) => {
      const client = createWalletClient({ transport: custom(extension(wallet, chainId, mood)) })
      return eip1193Signer(client as never, wallet.address)
    }),
    'ethers: a wallet that holds its key': opened((wallet) => (mood) => {
      const signTransaction = (transaction: TransactionRequest) =>
        wallet.signTransaction({ ...transaction, ...otherwise(transaction, mood, 'gasLimit') } as TransactionRequest)
      return ethersSigner({ signTransaction: signTransaction as never })
    }),
    'ethers: a signer of BrowserProvider over a wallet of EIP-1193': opened((wallet) => (mood) => {
      const provider = new BrowserProvider(extension(wallet, chainId, mood), chainId, { staticNetwork: true })
      return { sign: async (request) => ethersSigner((await provider.getSigner(wallet.address)) as never).sign(request) }
    }),
  }
}

/** Changes to a transaction of an EVM chain. @param gas name of its gas limit */
function otherwise(transaction: any, mood: Mood, gas: string): object {
  if (mood === 'other amount') return { value: BigInt(transaction.value) + 1n }
  return mood === 'own fee' ? { [gas]: BigInt(transaction[gas]) + 1_000n } : {}
}

/** Extension of an EVM chain: it answers what is asked through EIP-1193, and writes type 2 where the fee is its own, as wallets do. */
function extension(wallet: EthersWallet, chainId: number, mood: Mood) {
  return {
    async request({ method, params }: { method: string; params?: any }): Promise<any> {
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [wallet.address]
      if (method !== 'eth_signTransaction') throw Object.assign(new Error(`The wallet has no ${method}.`), { code: 4200 })
      const [{ from: _, gas, gasPrice, type: __, nonce, ...rest }] = params
      const prices = { type: 2, maxFeePerGas: BigInt(gasPrice) + 5n, maxPriorityFeePerGas: 1n }
      const call = { ...rest, gasLimit: gas, nonce: Number(nonce), chainId, ...(mood === 'own fee' ? prices : { type: 0, gasPrice }) }
      return wallet.signTransaction({ ...call, ...(mood === 'other amount' ? { value: BigInt(rest.value) + 1n } : {}) })
    },
  }
}

/** The same account in the libraries of a chain of Cosmos, direct and in amino JSON. */
export function cosmosWallets(chainId: string, prefix: string): Readonly<Record<string, () => Promise<LibraryWallet>>> {
  const opened = (make: (account: CosmosAccount) => (mood: Mood) => CosmjsSigner | CosmjsAminoSigner) => async () => {
    const account = await openAccount(createHash('sha256').update(EthersWallet.createRandom().privateKey).digest(), prefix)
    const { address, publicKey } = account
    const signerOf = make(account)
    return { address, pubkey: Buffer.from(publicKey).toString('hex'), signer: (mood: Mood) => cosmjsSigner(signerOf(mood), address) }
  }
  return {
    'Keplr: its offline signer': opened((account) => (mood) => new CosmJSOfflineSigner(chainId, keplrOf(account, mood))),
    'Keplr: its offline signer for amino alone, as for a Ledger': opened(
      (account) => (mood) => new CosmJSOfflineSignerOnlyAmino(chainId, keplrOf(account, mood)),
    ),
    'Keplr: its offline signer that was told to leave the fee alone': opened(
      (account) => (mood) => new CosmJSOfflineSigner(chainId, keplrOf(account, mood), { preferNoSetFee: true }),
    ),
    'Leap: the offline signer of its snap': opened((account) => (mood) => {
      const leap = new LeapSigner(chainId)
      return { signDirect: (address: string, document: any) => inPage(account, mood, () => leap.signDirect(address, document)) }
    }),
    'Leap: the offline signer of its snap, in amino JSON': opened((account) => (mood) => {
      const leap = new LeapSigner(chainId)
      // Here the library sets the fee, and the extension signs what it gets.
      const own = mood === 'own fee' ? 'obedient' : mood
      const options = { preferNoSetFee: mood !== 'own fee' }
      return { signAmino: (address: string, document: any) => inPage(account, own, () => leap.signAmino(address, document, options)) }
    }),
    'cosmjs: a direct wallet': opened((account) => (mood) => ({
      signDirect: async (address: string, document: any) =>
        mood === 'obedient' ? account.direct.signDirect(address, document) : signDirectAs(account, mood, document),
    })),
    'cosmjs: a wallet of amino JSON': opened((account) => (mood) => ({
      signAmino: async (address: string, document: any) =>
        mood === 'obedient' ? account.amino.signAmino(address, document) : signAminoAs(account, mood, document),
    })),
  }
}

/** Lets Leap's library find MetaMask, with Leap's snap in it, where a page has it, and the list of prices that it fetches. */
async function inPage<T>(account: CosmosAccount, mood: Mood, call: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis
  const ethereum = {
    async request({ params }: any) {
      const { method, params: asked } = params.request
      if (method === 'getKey') return { address: account.address, pubkey: { ...account.publicKey } }
      return (method === 'signDirect' ? signDirectAs : signAminoAs)(account, mood, asked.signDoc)
    },
  }
  Object.assign(globalThis, { window: { ethereum } })
  globalThis.fetch = async (url, init) =>
    String(url).startsWith('https://assets.leapwallet.io/') ? Response.json({ cosmoshub: { average: 0.03 } }) : fetch(url, init)
  const { log } = console
  console.log = () => undefined
  try {
    return await call()
  } finally {
    console.log = log
    globalThis.fetch = fetch
    Reflect.deleteProperty(globalThis, 'window')
  }
}

/** The burner of Solana's wallet adapters, behind their adapter to the Wallet Standard. */
export async function solanaBurner(): Promise<LibraryWallet> {
  const burner = await quietly(async () => new UnsafeBurnerWalletAdapter())
  await burner.connect()
  const wallet = new SolanaWalletAdapterWallet(burner as never, 'solana:mainnet', 'http://127.0.0.1:1')
  const [account] = wallet.accounts
  if (!account) throw new RangeError('A connected wallet has an account.')
  const { signTransaction } = wallet.features['solana:signTransaction'] as any
  const changing = (mood: Mood) => ({
    signTransaction: ({ transaction, ...rest }: any) =>
      signTransaction({ ...rest, transaction: mood === 'obedient' ? transaction : changed(transaction, mood) }),
  })
  return {
    ...{ address: account.address, pubkey: '' },
    signer: (mood) => walletStandard({ features: { 'solana:signTransaction': changing(mood) } }, account),
  }
}

/** Bytes of a transaction of Solana with another price, or with another amount in its second instruction of the system. */
function changed(bytes: Uint8Array, mood: Mood): Uint8Array {
  const transaction = SolanaTransaction.from(bytes)
  for (const instruction of transaction.instructions) {
    const isPrice = instruction.programId.equals(ComputeBudgetProgram.programId) && instruction.data[0] === 3
    if (isPrice && mood === 'own fee') instruction.data.writeBigUInt64LE(BigInt(OWN_PRICE), 1)
    const at = instruction.data.indexOf(lamportsOf(2_002_282_880n))
    if (mood === 'other amount' && at >= 0) lamportsOf(3_002_282_880n).copy(instruction.data, at)
  }
  return new Uint8Array(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

function lamportsOf(lamports: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(lamports)
  return bytes
}

/** The burner of Sui's dapp-kit, which builds the bytes anew of what it is told. @param chainId such as mainnet */
export async function suiBurner(chainId: string): Promise<LibraryWallet> {
  await quietly(async () => {
    createDAppKit({
      ...{ networks: [chainId], createClient: (network: string) => ({ network }) as never },
      ...{ enableBurnerWallet: true, slushWalletConfig: null, autoConnect: false },
    })
    await new Promise(setImmediate)
  })
  const wallet = getWallets().get().at(-1)
  const [account] = wallet?.accounts ?? []
  if (!wallet || !account) throw new RangeError('The burner is registered, and has an account.')
  const from = (mood: Mood) => (bytes: Uint8Array) => {
    const transaction = SuiTransaction.from(bytes)
    const { gasData, inputs } = transaction.getData()
    if (mood === 'own fee') transaction.setGasPrice(BigInt(gasData.price ?? 0) + 1n)
    if (mood !== 'other amount') return transaction
    const changed = transaction.getData()
    changed.inputs = inputs.map((input: any) =>
      input.Pure?.bytes === lamportsOf(2_000_000_000n).toString('base64')
        ? { ...input, Pure: { bytes: lamportsOf(3_000_000_000n).toString('base64') } }
        : input,
    )
    return SuiTransaction.from(JSON.stringify(changed))
  }
  return { address: account.address, pubkey: '', signer: (mood) => suiWallet(wallet as never, account as never, from(mood)) }
}

/** Lets a wallet for tests be made without its warning that it is one. */
async function quietly<T>(make: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => undefined
  try {
    return await make()
  } finally {
    console.warn = warn
  }
}
