import type { ComponentChildren } from 'preact'

/** A column of a table. */
export interface Column<T> {
  readonly key: string
  readonly head: ComponentChildren
  /** As in `grid-template-columns`: `120px`, `minmax(0, 1fr)`. */
  readonly width: string
  readonly align?: 'right'
  /** On a phone `main` stands above the rest over the whole width, and `rest` is left out. */
  readonly phone?: 'main' | 'rest'
  readonly mono?: boolean
  readonly muted?: boolean
  cell(row: T): ComponentChildren
}

/** Properties of a table: what it shows, and what it says of itself. */
export interface TableProps<T> {
  /** Read out: what the rows are. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  keyOf(row: T): string
  /** Number of rows in all, where more can be read. */
  readonly total?: number
  /** Enter or a click on a row. */
  onOpen?(row: T): void
  /** The end comes near: more rows are to be read. Called once for a number of rows. */
  onEnd?(): void
  /** Stands above the rows for which it says the same, such as a day. */
  headingOf?(row: T): string | null
  /** Key of the row that is open beside the table. */
  readonly open?: string | null
}

/** Classes of a cell. */
export function classOf<T>({ align, phone, mono, muted }: Column<T>): string {
  return ['cell', align, phone, mono ? 'mono' : '', muted ? 'muted' : ''].filter(Boolean).join(' ')
}
