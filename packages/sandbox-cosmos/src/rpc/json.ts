import { sha512 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { present } from '@svc/sandbox'
import type { TxResult } from '../app.ts'
import type { ChainEvent } from '../context.ts'
import { bondedValidators, consensusBytes, powerOf } from '../modules/validators.ts'
import type { Block, CommittedTx, Node } from '../node.ts'
import type { Validator } from '../state.ts'
import { blockLimits } from '../tx/limits.ts'
import { blockTime } from '../wire.ts'

/** Version of the application that celestia-appd v6 writes into headers; the Hub's has none. */
const appVersion = '6'

/** Answer to a caller as JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Encodes bytes in base64, as in every field that is not a hash. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Writes the result of checking or running a transaction. */
export function resultJson({ code, codespace, log, data, gasWanted, gasUsed, events, signers }: TxResult): Json {
  return {
    code,
    data: data.length === 0 ? null : base64(data),
    log,
    info: '',
    gas_wanted: String(gasWanted),
    gas_used: String(gasUsed),
    events: eventsJson(events),
    codespace,
    ...(signers && { signers }),
  }
}

/** Writes the result of a check in the form of `broadcast_tx_commit`; for celestia-core with the facts that the mempool keeps of the transaction. */
export function checkJson(check: TxResult, { mempool }: { readonly mempool: Json | undefined }): Json {
  const answer = resultJson(check)
  return { ...answer, ...(check.code === 0 && { data: '' }), ...mempool }
}

/** Writes a transaction that is in a block. */
export function txJson({ hash, height, index, bytes, result }: CommittedTx): Json {
  return { hash, height: String(height), index, tx_result: resultJson(result), tx: base64(bytes) }
}

/** Writes a block in the form of `block`. */
export function blockJson(node: Node, block: Block): Json {
  const before = node.before(block)
  return {
    block_id: blockId(block),
    block: {
      header: headerJson(node, block),
      data: { txs: block.txs.map(base64), ...(node.genesis.node.celestiaCore && { square_size: '1' }) },
      evidence: { evidence: [] },
      last_commit: {
        height: String(block.height - 1n),
        round: 0,
        block_id: blockId(before),
        signatures: before === undefined ? [] : signatures(before),
      },
    },
  }
}

/** Writes a block in the form of `blockchain`. */
export function metaJson(node: Node, block: Block): Json {
  const size = block.txs.reduce((sum, { length }) => sum + length, emptyBlock)
  return { block_id: blockId(block), block_size: String(size), header: headerJson(node, block), num_txs: String(block.txs.length) }
}

/** About how many bytes a block has without a transaction. */
const emptyBlock = 900

/** Signatures of a block by who made blocks then; they prove nothing. */
function signatures({ hash, time, signers }: Block): Json[] {
  return signers.map((address) => ({
    block_id_flag: 2,
    validator_address: address,
    timestamp: blockTime(time),
    signature: base64(sha512(Buffer.from(`${hash}/${address}`))),
  }))
}

/** SHA-256 of nothing, which stands for what a first block has not. */
const ofNothing = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'

/** Writes a header. Its hashes name the block and distinguish it from others; they are not roots of trees. */
export function headerJson(node: Node, block: Block): Json {
  const before = node.before(block)
  const fixed = block.hash
  return {
    version: { block: '11', ...(node.genesis.node.celestiaCore && { app: appVersion }) },
    chain_id: node.chainId,
    height: String(block.height),
    time: blockTime(block.time),
    last_block_id: blockId(before),
    last_commit_hash: before?.hash ?? ofNothing,
    data_hash: fixed,
    validators_hash: fixed,
    next_validators_hash: fixed,
    consensus_hash: fixed,
    app_hash: before?.appHash ?? block.appHash,
    last_results_hash: fixed,
    evidence_hash: fixed,
    proposer_address: proposerHex(node, block),
  }
}

/** Writes the results of the transactions of a block. */
export function blockResultsJson(node: Node, { height, results, events, appHash, powers }: Block): Json {
  const { maxBytes, maxGas } = blockLimits(node.genesis)
  return {
    height: String(height),
    txs_results: results.length === 0 ? null : results.map(resultJson),
    finalize_block_events: eventsJson(events),
    validator_updates:
      powers.length === 0
        ? null
        : powers.map(({ key, power }) => ({
            pub_key: { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value: { ed25519: base64(key) } } },
            ...(power > 0n && { power: String(power) }),
          })),
    consensus_param_updates: {
      block: { max_bytes: String(maxBytes), max_gas: String(maxGas) },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: node.genesis.node.celestiaCore ? { app: appVersion } : {},
      abci: {},
    },
    app_hash: base64(Buffer.from(appHash, 'hex')),
  }
}

/** Lists the validators that make blocks at present. */
export function validatorsJson(node: Node): Json[] {
  return bondedValidators(node.app.view().state).map((validator) => ({
    address: toHex(consensusBytes(validator)).toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: base64(validator.consensusKey) },
    voting_power: String(powerOf(validator)),
    proposer_priority: '0',
  }))
}

/** Writes the answer of `status`. The node is a follower, with no power of its own. */
export function statusJson(node: Node): Json {
  const [first, latest] = [present(node.block(node.lowest), 'the lowest block'), node.latest]
  return {
    node_info: {
      protocol_version: { p2p: '8', block: '11', app: node.genesis.node.celestiaCore ? appVersion : '0' },
      id: '5a5bdb0c0000000000000000000000000000c0de',
      listen_addr: 'tcp://0.0.0.0:26656',
      network: node.chainId,
      version: node.genesis.node.celestiaCore ? '0.38.17' : '0.38.25',
      channels: node.genesis.node.celestiaCore ? '4020212223303860613231505100' : '40202122233038606100',
      moniker: 'sandbox',
      other: { tx_index: node.keeps.index ? 'on' : 'off', rpc_address: 'tcp://0.0.0.0:26657' },
    },
    sync_info: {
      latest_block_hash: latest.hash,
      latest_app_hash: latest.appHash,
      latest_block_height: String(latest.height),
      latest_block_time: blockTime(latest.time),
      earliest_block_hash: first.hash,
      earliest_app_hash: first.appHash,
      earliest_block_height: String(first.height),
      earliest_block_time: blockTime(first.time),
      catching_up: false,
    },
    validator_info: {
      address: '5A5BDB0C0000000000000000000000000000C0DE',
      pub_key: { type: 'tendermint/PubKeyEd25519', value: base64(new Uint8Array(32).fill(7)) },
      voting_power: '0',
    },
  }
}

function eventsJson(events: readonly ChainEvent[]): Json[] {
  return events.map(({ type, attributes }) => ({ type, attributes }))
}

function blockId(block: Block | undefined): Json {
  return block === undefined ? { hash: '', parts: { total: 0, hash: '' } } : { hash: block.hash, parts: { total: 1, hash: block.hash } }
}

function proposerHex(node: Node, block: Block): string {
  const proposer: Validator | undefined = node.app.view().state.validators.get(block.proposer)
  return proposer === undefined ? '00'.repeat(20) : toHex(consensusBytes(proposer)).toUpperCase()
}
