"""What only lessons use: pictures, sliders and checks of answers. Nothing else imports it."""
