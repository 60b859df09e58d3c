import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { narrow } from '../../state/media.ts'
import { Button } from './button.tsx'
import { SearchWords } from './search-words.tsx'

/** A field for words and choices beside it, which are folded where the window is narrow. */
export function SearchBar({
  label,
  words,
  chosen,
  children,
  below,
  byPart = false,
}: {
  /** Says what the field for words takes. */
  readonly label: string
  /** Words that are searched for. */
  readonly words: string | undefined
  /** Number of the choices that are made. */
  readonly chosen: number
  readonly children: ComponentChildren
  /** Stands below the bar, and is folded with the choices. */
  readonly below?: ComponentChildren
  /** True if any part of a word finds it. */
  readonly byPart?: boolean
}) {
  const [unfolded, setUnfolded] = useState(false)
  const folded = narrow.value && !unfolded
  return (
    <>
      <div class="toolbar">
        <SearchWords label={label} value={words ?? ''} byPart={byPart} />
        {narrow.value ? (
          <Button icon="filter" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {chosen === 0 ? 'Filters' : `Filters, ${chosen} chosen`}
          </Button>
        ) : null}
        {folded ? null : children}
      </div>
      {folded ? null : below}
    </>
  )
}
