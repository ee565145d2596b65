/** What chooses another port, by the service that listens. */
export const portVariables = {
  api: 'FERROLOG_API_PORT',
  'inspector-simulator': 'FERROLOG_INSPECTOR_PORT',
} as const;

type PortVariable = (typeof portVariables)[keyof typeof portVariables];

/**
 * For the rejection of what listens: a port that another program has is told with the variable that chooses another one;
 * anything else is thrown on as it is.
 */
export const portTaken =
  (variable: PortVariable) =>
  (error: unknown): never => {
    const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(
      `another program listens on ${address} port ${port}; stop it, or choose another port with ${variable}.`,
      { cause: error },
    );
  };
