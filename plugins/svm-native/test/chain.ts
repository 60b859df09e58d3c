import type { SvmChain } from '@svc/sandbox-svm'

/** Writes into the data of an account past every rule. */
export function poke(chain: SvmChain, address: string, change: (data: Buffer) => void): void {
  const data = Buffer.from(chain.account(address)!.data)
  change(data)
  chain.setAccount(address, { data })
}
