// Lets an input open the choice of files of the media library, without depending on the library.

import { createContext, useContext } from 'react'
import type { MediaFile } from '../model/media.ts'

export interface PickMediaOptions {
  readonly kinds: readonly ('images' | 'files' | 'videos' | 'audios')[]
  readonly isMultiple: boolean
}

/** Lets the user choose files; an empty list if none was chosen. */
export type PickMedia = (options: PickMediaOptions) => Promise<readonly MediaFile[]>

const PickMediaContext = createContext<PickMedia | null>(null)

export const PickMediaProvider = PickMediaContext.Provider

/** Null where the user may not choose files. */
export const usePickMedia = (): PickMedia | null => useContext(PickMediaContext)
