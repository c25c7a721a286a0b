window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '../v3/api-docs/viewer',
    dom_id: '#swagger-ui',
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: 'StandaloneLayout',
  });
};
