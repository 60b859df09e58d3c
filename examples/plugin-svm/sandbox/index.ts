import { type SvmChain, type SvmScenario, svmEngine } from '@svc/sandbox-svm'
import { vouchersProgram } from './program.ts'

/** Address of the program on the local chain; any address will do. */
export const programAddress = 'Vouchers11111111111111111111111111111111111'

/** A voucher of somebody who is no wallet of these tests. */
export const anothersVoucher = 'AnothersVoucher1111111111111111111111111111'

/** The loader of programs that cannot be changed. */
const LOADER = 'BPFLoader2111111111111111111111111111111111'

/** Lamports that the voucher of another holds. */
const lamports = 2_000_000_000n

/** The program, which runs in the engine like any other, and one voucher. */
export const scenario: SvmScenario = {
  engine: svmEngine,
  chain: 'svm:mainnet-beta',
  async install(chain) {
    deploy(chain)
    const data = new Uint8Array(40).fill(7, 0, 32)
    new DataView(data.buffer).setBigUint64(32, lamports, true)
    chain.setAccount(anothersVoucher, { lamports, owner: programAddress, data })
    return { settings: { program: programAddress } }
  },
}

/** As a deployment leaves it: an account that the loader owns, with the file as its data. */
export function deploy(chain: SvmChain): void {
  chain.setAccount(programAddress, { lamports: 1_000_000_000n, owner: LOADER, data: vouchersProgram, executable: true })
}
