import type { ComponentType } from 'preact'
import type { Session } from '../api/types.ts'
import type { IconName } from '../parts/layout/icon.tsx'

/** Properties that a page is given. */
export interface PageProps {
  readonly session: Session
  /** Parts of the path after the page's own: `keys/01ABC` gives `['01ABC']`. */
  readonly rest: readonly string[]
}

/** A page, as pages/registry.ts lists it. */
export interface Page {
  /** First part of its path; what an address without a path shows is the first page listed. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** Goes there after `g`. */
  readonly key: string
  /** Tells whether the page is shown in a session. @default for everybody */
  readonly shown?: (session: Session) => boolean
  readonly view: ComponentType<PageProps>
}
