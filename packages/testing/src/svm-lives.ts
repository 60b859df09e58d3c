/** Lamports that an address has paid as fees, and the transactions that were counted, by endpoint and address. */
const sums = new Map<string, { readonly counted: Set<string>; lamports: bigint }>()

/** Sums the fees in lamports that an address has paid since the chain began, by the records of its transactions. */
export async function paidFees(rpcUrl: string, address: string): Promise<bigint> {
  const name = `${rpcUrl} ${address}`
  const sum = sums.get(name) ?? { counted: new Set<string>(), lamports: 0n }
  sums.set(name, sum)
  const list = await askNode<{ signature: string }[]>(rpcUrl, 'getSignaturesForAddress', [address, { commitment: 'confirmed' }])
  for (const { signature } of list.filter((each) => !sum.counted.has(each.signature))) {
    sum.counted.add(signature)
    const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
    const { meta, transaction } = await askNode<Landed>(rpcUrl, 'getTransaction', [signature, options])
    if (transaction.message.accountKeys[0] === address) sum.lamports += BigInt(meta.fee)
  }
  return sum.lamports
}

interface Landed {
  readonly meta: { readonly fee: number }
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } }
}

/** Asks a node past every kit. @throws Error with the node's sentence */
export async function askNode<T>(rpcUrl: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
