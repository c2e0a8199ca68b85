// Gives all pages the model and the user.

import { createContext, type ReactNode, useContext } from 'react'
import type { User } from '../api/session.ts'
import type { Model } from '../model/types.ts'
import type { LoadedPlugins } from './plugins.ts'

interface Workplace {
  readonly model: Model
  readonly user: User
  readonly plugins: LoadedPlugins
}

const WorkplaceContext = createContext<Workplace | null>(null)

export function WorkplaceProvider({ model, user, plugins, children }: Workplace & { readonly children: ReactNode }) {
  return <WorkplaceContext value={{ model, user, plugins }}>{children}</WorkplaceContext>
}

function useWorkplace(): Workplace {
  const workplace = useContext(WorkplaceContext)
  if (workplace === null) throw new Error('There is no model outside of the shell')
  return workplace
}

export const useModel = (): Model => useWorkplace().model
export const useUser = (): User => useWorkplace().user
export const usePlugins = (): LoadedPlugins => useWorkplace().plugins
