// Starts the editor again with the value of the form when it fails. After some failures, the boundary around the input has it.

import { Component, type ReactNode } from 'react'

interface Props {
  readonly onRestart: () => void
  /** Draws the editor; each number is another one. */
  readonly children: (number: number) => ReactNode
}

interface State {
  readonly error: unknown
  readonly failures: number
}

const patience = 3

export class EditorBoundary extends Component<Props, State> {
  override state: State = { error: null, failures: 0 }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error }
  }

  override componentDidCatch(): void {
    if (this.state.failures >= patience) return
    this.setState(({ failures }) => ({ error: null, failures: failures + 1 }))
    this.props.onRestart()
  }

  override render(): ReactNode {
    const { error, failures } = this.state
    if (error === null) return this.props.children(failures)
    if (failures >= patience) throw error
    return null
  }
}
