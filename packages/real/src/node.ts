import type { Programs } from './programs.ts'
import type { Recorder } from './recorder.ts'
import type { Report } from './report.ts'
import type { Service, ServiceSettings } from './service.ts'

/**
 * A chain's own software, of which `pnpm real` makes a program, a chain and lives on it. One file a node; `nodes.ts` lists them.
 *
 * @see ../README.md "Another node"
 */
export interface RealNode {
  /** Word of the command line, and folder of its recordings. @example celestia */
  readonly name: string
  /** Software and version, as the recordings name it. @example celestia-appd v6.2.5 */
  readonly software: string
  /** Programs that must be installed before it can be built, as they are found on the PATH. @example ['go'] */
  readonly needs: readonly string[]
  /**
   * Files that decide what is built, as absolute paths of files or folders. Their digest names the folder in which the programs are kept.
   */
  readonly sources: readonly string[]
  /** Programs that a build leaves in its folder. */
  readonly makes: readonly string[]
  /** Looks for what a build needs besides, and would take long. @returns why it is left out where that is allowed, as a sentence; null where nothing is missing */
  readonly whyNot?: () => Promise<string | null>
  /** Builds them there; called only while one of them is missing. @throws Error with the output of what failed */
  build(folder: string, programs: Programs): Promise<void>
  /** Starts its chains, plays its lives and records what is asked for. What it started is ended by `stage`, however it ends. */
  play(stage: Stage): Promise<void>
}

/** Stage on which a node's lives are played: one for each node of a run. */
export interface Stage {
  /** Folder of what `build` has made. */
  readonly built: string
  /** Folder that is gone after the run. */
  readonly folder: string
  /** Starts programs; those that still run at the end are killed. */
  readonly programs: Programs
  readonly report: Report
  /** Writes recordings where `--record` asks for them, and nothing otherwise. */
  readonly recorder: Recorder
  /** Number of random actions to play. */
  readonly actions: number
  /** Seed from which random choices follow. */
  readonly seed: string
  /** Starts the service, as an operator does, on networks of this chain. */
  service(settings: ServiceSettings): Promise<Service>
  /** Plays a life; whatever it throws is a failed assertion of it, and the next one is played. @param name of the life, one word */
  life(name: string, play: (report: Report) => Promise<void>): Promise<void>
}
