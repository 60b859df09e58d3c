import { useEffect, useRef, useState } from 'preact/hooks'
import { setQuery } from '../router/router.ts'
import { looksSecret } from '../text/secret.ts'
import { Note } from './note.tsx'
import { Search } from './search.tsx'

/** How long typing rests before it is searched, in milliseconds: a choice of this project. */
const REST_MS = 300

/** A field for words that stand in the address as `q`, and are searched for by the service once the typing rests. */
export function SearchWords({ label, value }: { readonly label: string; readonly value: string }) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const secret = looksSecret(typed)
  // The address was changed by a step back, or by clearing all filters.
  if (told.current !== value) {
    told.current = value
    setTyped(value)
  }
  useEffect(() => {
    const words = typed.trim()
    if (secret || words === value) return
    const timer = window.setTimeout(() => {
      told.current = words
      setQuery({ q: words })
    }, REST_MS)
    return () => window.clearTimeout(timer)
  }, [typed])
  return (
    <>
      <Search label={label} value={typed} onValue={setTyped} />
      {secret ? (
        <Note kind="warn" alert>
          That is the value of a key or token, which is not searched for: it would stand in the address. Choose the key by its name, or
          delete it if others may have seen its value.
        </Note>
      ) : null}
    </>
  )
}
